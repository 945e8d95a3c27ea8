// Hansei's plugin for OpenCode and Kilo: tells `hansei hook` what happens in a session.
// Written by `hansei install`, removed by `hansei uninstall`. It never throws, never waits longer than LIMIT,
// and does nothing where the program is missing.
import { spawnSync } from "node:child_process"

const AGENT = "opencode"
const PROGRAM = "hansei"
const MODE = "solo"
const LIMIT = 6_000 // milliseconds; hansei itself gives up sooner

export const Hansei = async ({ client, directory }) => {
  // By id: its parent, whether it failed, the human's last message and what agent was to answer it, the answer's id and text.
  const sessions = new Map()
  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { parent: undefined, failed: false })
    return sessions.get(id)
  }

  // Synchronous: `run` ends the process as soon as a session is idle, and events must not overtake each other.
  const tell = (event, name, id, more = {}) => {
    const input = JSON.stringify({ session_id: id, cwd: directory, hook_event_name: name, ...more })
    const options = { cwd: directory, input, timeout: LIMIT, killSignal: "SIGKILL", stdio: ["pipe", "ignore", "ignore"] }
    spawnSync(PROGRAM, ["hook", AGENT, event, "--mode", MODE], options)
  }

  // A session that began before this plugin was loaded has to be asked for.
  const parentOf = async (id) => {
    const session = known(id)
    if (session.parent === undefined) {
      const found = await client.session.get({ path: { id } })
      session.parent = found.data?.parentID ?? null
    }
    return session.parent
  }

  const stopped = async (name, id) => {
    const session = known(id)
    // A session is also idle after an error, which was told already.
    if (session.failed) return
    const more = { last_assistant_message: session.text, permission_mode: session.agent, turn_id: session.asked }
    const parent = session.parent === undefined ? await parentOf(id) : session.parent
    if (parent) tell("subagent-stop", name, parent, { ...more, agent_id: id })
    else tell("stop", name, id, more)
  }

  const events = {
    "session.created": (id, { info }, name) => {
      known(id).parent = info?.parentID ?? null
      if (!known(id).parent) tell("session-start", name, id, { source: "startup" })
    },
    "message.updated": (id, { info }) => {
      if (info?.role !== "assistant") return
      known(id).answer = info.id
      if (info.error) known(id).failed = true
    },
    "message.part.updated": (id, { part }) => {
      // The user's words come as parts too.
      if (part?.type === "text" && part.messageID === known(id).answer) known(id).text = part.text
    },
    "session.idle": (id, _, name) => stopped(name, id),
    "session.compacted": (id, _, name) => tell("compact", name, id),
    "session.error": (id, { error }, name) => {
      known(id).failed = true
      tell(error?.name === "MessageAbortedError" ? "abort" : "error", name, id, { error: error?.data?.message ?? error?.name })
    },
    "session.deleted": (id, _, name) => {
      sessions.delete(id)
      tell("session-end", name, id)
    },
  }

  return {
    event: async ({ event }) => {
      try {
        const properties = event.properties ?? {}
        const id = properties.sessionID ?? properties.part?.sessionID ?? properties.info?.sessionID ?? properties.info?.id
        if (id) await events[event.type]?.(id, properties, event.type)
      } catch {
        // A session is worth more than a record of it.
      }
    },
    "chat.message": async (input, output) => {
      try {
        const session = known(input.sessionID)
        session.failed = false
        session.agent = input.agent ?? output.message?.agent
        const spoken = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        if (spoken.length === 0 || (await parentOf(input.sessionID))) return
        session.asked = output.message?.id
        const prompt = spoken.map((part) => part.text).join("\n")
        tell("prompt", "chat.message", input.sessionID, { prompt, permission_mode: session.agent, turn_id: session.asked })
      } catch {
        // As above.
      }
    },
  }
}
