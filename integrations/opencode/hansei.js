// Hansei's plugin for OpenCode and Kilo: tells `hansei hook` what happens in a session.
// Written by `hansei install`, removed by `hansei uninstall`. It never throws, never waits longer than LIMIT,
// and does nothing where the program is missing.
import { spawn } from "node:child_process"

const AGENT = "opencode"
const PROGRAM = "hansei"
const MODE = "solo"
const LIMIT = 10_000 // milliseconds

export const Hansei = async ({ client, directory }) => {
  const sessions = new Map() // id → { parent, failed }
  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { parent: undefined, failed: false })
    return sessions.get(id)
  }

  const tell = (event, name, id, more = {}) =>
    new Promise((done) => {
      try {
        const child = spawn(PROGRAM, ["hook", AGENT, event, "--mode", MODE], {
          cwd: directory,
          stdio: ["pipe", "ignore", "ignore"],
        })
        const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT)
        const end = () => {
          clearTimeout(timer)
          done()
        }
        child.on("error", end)
        child.on("close", end)
        child.stdin.on("error", () => {})
        child.stdin.end(JSON.stringify({ session_id: id, cwd: directory, hook_event_name: name, ...more }))
      } catch {
        done()
      }
    })

  // What the session last said, and whether it ended in an error.
  const last = async (id) => {
    try {
      const answer = await client.session.messages({ path: { id } })
      const message = answer.data?.findLast(({ info }) => info.role === "assistant")
      const text = message?.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
      return { failed: Boolean(message?.info.error), text }
    } catch {
      return { failed: false, text: undefined }
    }
  }

  // Also for a session that began before the plugin was there.
  const parentOf = async (id) => {
    const session = known(id)
    if (session.parent === undefined) {
      try {
        session.parent = (await client.session.get({ path: { id } })).data?.parentID ?? null
      } catch {
        session.parent = null
      }
    }
    return session.parent
  }

  const stopped = async (name, id) => {
    const { failed, text } = await last(id)
    // A session is also idle after an error, which was told already.
    if (failed || known(id).failed) return
    const parent = await parentOf(id)
    const more = { last_assistant_message: text }
    await (parent ? tell("subagent-stop", name, parent, { ...more, agent_id: id }) : tell("stop", name, id, more))
  }

  return {
    event: async ({ event: { type, properties } }) => {
      try {
        const id = properties?.sessionID ?? properties?.info?.id
        if (!id) return
        if (type === "session.created") {
          known(id).parent = properties.info?.parentID ?? null
          if (!known(id).parent) await tell("session-start", type, id, { source: "startup" })
        } else if (type === "session.idle") {
          await stopped(type, id)
        } else if (type === "session.compacted") {
          await tell("compact", type, id)
        } else if (type === "session.error") {
          known(id).failed = true
          const error = properties.error?.name
          await tell(error === "MessageAbortedError" ? "abort" : "error", type, id, { error })
        } else if (type === "session.deleted") {
          sessions.delete(id)
          await tell("session-end", type, id)
        }
      } catch {
        // A session is worth more than a record of it.
      }
    },
    "chat.message": async (input, output) => {
      try {
        const id = input.sessionID
        known(id).failed = false
        const spoken = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        if (spoken.length === 0 || (await parentOf(id))) return
        await tell("prompt", "chat.message", id, { prompt: spoken.map((part) => part.text).join("\n") })
      } catch {
        // See above.
      }
    },
  }
}
