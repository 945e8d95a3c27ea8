module.exports = (output, context) => ({
  pass: output.length < 10 && context.vars.name === 'Ada',
  score: 1 / output.length,
  reason: `${output.length} letters`,
});
