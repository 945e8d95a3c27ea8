module.exports = {
  hasA: (output) => output.includes('a'),
  hasB: (output) => output.includes('b'),
};
