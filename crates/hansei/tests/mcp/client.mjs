// A real client: lists the tools of `hansei mcp` and makes the calls of a file, one after another.
// Usage: node client.mjs PACKAGES CALLS.json PROGRAM FOLDER   CALLS.json: [[tool, arguments], …]
// Prints {server, tools, results}; a call that was refused by the protocol has `refused`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [packages, calls, program, folder] = process.argv.slice(2)
const from = (path) =>
  import(pathToFileURL(join(packages, 'node_modules/@modelcontextprotocol/sdk/dist/esm', path)).href)
const { Client } = await from('client/index.js')
const { StdioClientTransport } = await from('client/stdio.js')

const transport = new StdioClientTransport({
  command: program,
  args: ['mcp'],
  cwd: folder,
  env: { ...process.env },
  stderr: 'inherit',
})
const client = new Client({ name: 'test', version: '1.0.0' })
await client.connect(transport)
const { tools } = await client.listTools()
const results = []
for (const [name, args] of JSON.parse(readFileSync(calls, 'utf8'))) {
  try {
    results.push(await client.callTool({ name, arguments: args }))
  } catch (error) {
    results.push({ refused: error.code, message: error.message })
  }
}
const server = { version: client.getServerVersion(), instructions: client.getInstructions() }
await client.close()
console.log(JSON.stringify({ server, tools, results }))
