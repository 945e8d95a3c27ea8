// Hansei's plugin for OpenCode and Kilo: tells `hansei hook` what happens in a session, and does what it answers.
// Written by `hansei install`, removed by `hansei uninstall`. It never throws, never waits longer than LIMIT,
// and does nothing where the program is missing.
import { spawn, spawnSync } from "node:child_process"

const AGENT = "opencode"
const PROGRAM = "hansei"
const MODE = "solo"
const LIMIT = 6_000 // milliseconds; hansei itself gives up sooner
const STOP_LIMIT = 130_000 // the same for a stop, where a model may be asked: its own budget is shorter
const LARGEST = 12_000_000 // characters of a session that are sent along
const LONGEST_OUTPUT = 16_000 // characters of a tool's output that are

// `run` has nobody at the terminal, and ends the process as soon as a session is idle (Kilo's waits for what is queued by
// then, which may be too soon for us). So there a stop is judged when the model's last step finishes, at once and without
// waiting for anything.
const RUN = process.argv.includes("run") && !process.argv.some((word) => word.startsWith("--attach"))

const cut = (text) =>
  typeof text === "string" && text.length > LONGEST_OUTPUT
    ? `${text.slice(0, LONGEST_OUTPUT / 4)}\n[…]\n${text.slice((-LONGEST_OUTPUT * 3) / 4)}`
    : text

// A part without what is large and says nothing more.
const slim = (part) => {
  if (part.type === "file" || part.type === "snapshot" || part.type === "patch") return { id: part.id, type: part.type }
  if (part.type !== "tool" || !part.state) return part
  const { output, error, metadata, attachments, ...state } = part.state
  return { ...part, state: { ...state, output: cut(output), error: cut(error), metadata: { exit: metadata?.exit, sessionId: metadata?.sessionId } } }
}

// The newest messages that fit, and where there is room those of sub-agents, each of which says `by` whom it is.
const bounded = (messages, theirs = []) => {
  let size = 0
  const newest = (messages, by) => {
    const kept = []
    for (const { info, parts } of [...messages].reverse()) {
      const message = { info, parts: parts.map(slim), by }
      size += JSON.stringify(message).length
      if (size > LARGEST) break
      kept.unshift(message)
    }
    return kept
  }
  const own = newest(messages)
  return own.concat(theirs.flatMap(({ id, messages }) => newest(messages, id)))
}

// The sessions of the sub-agents that were asked in these messages.
const subAgents = (messages) => {
  const ids = messages.flatMap(({ parts }) => parts.map(({ state }) => state?.metadata?.sessionId))
  return [...new Set(ids.filter((id) => typeof id === "string"))]
}

// Ids of messages grow.
const inOrder = (session) => [...session.messages.values()].sort((a, b) => (a.info.id < b.info.id ? -1 : 1))

export const Hansei = async ({ client, directory }) => {
  // By id: its parent, whether it failed, the human's last message and what agent was to answer it, the answer's id and
  // text, the answer that was judged, how often something stirred and the timer of its silence, what is to be said with the
  // next request, and where the process ends too soon to ask for them, its messages.
  const sessions = new Map()
  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { parent: undefined, failed: false, stirred: 0, messages: new Map() })
    return sessions.get(id)
  }

  const call = (event, name, id, more) => ({
    words: ["hook", AGENT, event, "--mode", MODE],
    input: JSON.stringify({ session_id: id, cwd: directory, hook_event_name: name, attended: !RUN, ...more }),
  })

  // Synchronous: `run` ends the process as soon as a session is idle, and events must not overtake each other.
  const tell = (event, name, id, more = {}) => {
    const { words, input } = call(event, name, id, more)
    const timeout = event === "stop" ? STOP_LIMIT : LIMIT
    const options = { cwd: directory, input, timeout, killSignal: "SIGKILL", stdio: ["pipe", "pipe", "ignore"] }
    return spawnSync(PROGRAM, words, options).stdout?.toString() ?? ""
  }

  // For a server that others use meanwhile.
  const ask = (event, name, id, more = {}) =>
    new Promise((answer) => {
      const { words, input } = call(event, name, id, more)
      const child = spawn(PROGRAM, words, { cwd: directory, stdio: ["pipe", "pipe", "ignore"] })
      // A limit of our own: one of `spawn` would go on ticking where the program is missing.
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT)
      const end = (text) => {
        clearTimeout(timer)
        answer(text)
      }
      let said = ""
      child.stdout.on("data", (text) => (said += text))
      child.on("error", () => end(""))
      child.on("close", () => end(said))
      child.stdin.on("error", () => {})
      child.stdin.end(input)
    })

  const read = (answer) => (answer.trim() ? JSON.parse(answer) : {})

  const toast = (message) => {
    if (message && !RUN) client.tui.showToast({ body: { title: "Hansei", message, variant: "info" } }).catch(() => {})
  }

  // Our words are marked as nobody's, so that they are not taken for the human's.
  const say = (id, text, messages) => {
    const { agent, model } = messages.findLast(({ info }) => info.role === "user")?.info ?? {}
    const parts = [{ type: "text", text, synthetic: true }]
    return client.session.promptAsync({ path: { id }, body: { agent, model, parts } })
  }

  // Does what was answered to a stop.
  const obey = (id, answer, messages, asked) => {
    const { action, feedback, notice, assess_after } = read(answer)
    toast(notice)
    // Whoever spoke meanwhile is answered first.
    if (known(id).asked !== asked) return
    if (assess_after) listen(id, assess_after)
    if (action === "send_back" && feedback) return say(id, feedback, messages)
  }

  // Something happens: whatever silence there was is over.
  const stir = (id) => {
    const session = known(id)
    session.stirred += 1
    clearTimeout(session.timer)
  }

  // Looks at a session when it has been silent for so many seconds. `run` does not live that long.
  const listen = (id, seconds) => {
    if (RUN || MODE !== "solo") return
    const session = known(id)
    clearTimeout(session.timer)
    const { stirred } = session
    const look = async () => {
      const messages = await said(id)
      const more = { ...about(session), messages: bounded(messages), idle_seconds: seconds }
      const { nudge, notice } = read(await ask("stuck", "silence", id, more))
      toast(notice)
      if (nudge && session.stirred === stirred && !session.failed) await say(id, nudge, messages)
    }
    session.timer = setTimeout(() => look().catch(() => {}), seconds * 1000)
    // A process that has nothing else to do may end.
    session.timer.unref?.()
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

  // What was said so far. A stop is told also where that cannot be had.
  const said = async (id) => {
    try {
      return (await client.session.messages({ path: { id } })).data ?? []
    } catch {
      return []
    }
  }

  // What the sub-agents said that were asked in these messages.
  const saidBy = (messages) =>
    Promise.all(subAgents(messages).map(async (id) => ({ id, messages: await said(id) })))

  // The same of what was seen here.
  const seen = (session) => {
    const messages = inOrder(session)
    return bounded(messages, subAgents(messages).map((id) => ({ id, messages: inOrder(known(id)) })))
  }

  const about = (session) => ({
    last_assistant_message: session.text,
    permission_mode: session.agent,
    turn_id: session.asked,
  })

  const stopped = async (name, id) => {
    const session = known(id)
    // A session is also idle after an error, which was told already, and after a stop that was judged before.
    if (session.failed || (session.answer && session.answer === session.judged)) return
    session.judged = session.answer
    const parent = session.parent === undefined ? await parentOf(id) : session.parent
    if (parent) return tell("subagent-stop", name, parent, { ...about(session), agent_id: id })
    // `run` may be over before an answer comes: then what is known must do.
    if (RUN) return tell("stop", name, id, { ...about(session), messages: seen(session) })
    const asked = session.asked
    const messages = await said(id)
    const more = { ...about(session), messages: bounded(messages, await saidBy(messages)) }
    await obey(id, await ask("stop", name, id, more), messages, asked)
  }

  // The model's last step is over: nothing may be awaited from here on, or the session ends first.
  const finished = (id, part, name) => {
    const session = known(id)
    const message = session.messages.get(part.messageID)
    const works = ["tool-calls", "unknown"].includes(part.reason) || !message || message.info.summary
    const runs = message?.parts.some(({ type, state }) => type === "tool" && ["pending", "running"].includes(state?.status))
    // Somebody spoke meanwhile, a loop plugin for one: the session goes on with that.
    const queued = inOrder(session).some(({ info }) => info.role === "user" && info.id > message?.info.parentID)
    if (works || runs || queued || session.parent !== null || session.failed || session.judged === part.messageID) return
    session.judged = part.messageID
    const messages = inOrder(session)
    const answer = tell("stop", name, id, { ...about(session), messages: seen(session) })
    obey(id, answer, messages, session.asked)?.catch?.(() => {})
  }

  // The context was compacted: what the agent is told about it goes with the next request of its model.
  const compacted = async (name, id) => {
    const session = known(id)
    // `run` may be over before an answer comes.
    const parent = RUN ? session.parent : await parentOf(id)
    if (parent) return
    if (RUN) session.word = tell("compact", name, id, { ...about(session), messages: bounded(inOrder(session)) })
    else session.word = ask("compact", name, id, { ...about(session), messages: bounded(await said(id)) })
    await session.word
  }

  // Once, and in this request alone: the session keeps nothing of it.
  const remind = async (messages) => {
    const last = messages.findLast(({ info }) => info.role === "user")
    const session = sessions.get(last?.info.sessionID)
    if (!session?.compacted) return
    await session.compacted
    const { nudge, notice } = read((await session.word) ?? "")
    session.compacted = session.word = undefined
    toast(notice)
    const { sessionID, id: messageID } = last.info
    if (nudge) last.parts.push({ id: "prt_hansei", sessionID, messageID, type: "text", text: nudge, synthetic: true })
  }

  const remember = (session, info) => {
    const message = session.messages.get(info.id)
    if (message) message.info = info
    else session.messages.set(info.id, { info, parts: [] })
  }

  const rememberPart = (session, part) => {
    const parts = session.messages.get(part.messageID)?.parts
    if (!parts) return
    const place = parts.findIndex(({ id }) => id === part.id)
    if (place < 0) parts.push(part)
    else parts[place] = part
  }

  const events = {
    "session.created": (id, { info }, name) => {
      known(id).parent = info?.parentID ?? null
      if (!known(id).parent) tell("session-start", name, id, { source: "startup" })
    },
    "message.updated": (id, { info }) => {
      if (RUN && info?.id) remember(known(id), info)
      if (info?.role !== "assistant") return
      known(id).answer = info.id
      if (info.error) known(id).failed = true
    },
    "message.part.updated": (id, { part }, name) => {
      if (RUN && part?.id) rememberPart(known(id), part)
      // The user's words come as parts too, and what is synthetic is nobody's: Kilo shows how a slow snapshot gets on.
      const spoken = part?.type === "text" && !part.synthetic
      if (spoken && part.messageID === known(id).answer) known(id).text = part.text
      if (RUN && part?.type === "step-finish") finished(id, part, name)
    },
    "session.idle": (id, _, name) => stopped(name, id),
    "session.status": (id, { status }) => {
      if (status?.type !== "idle") stir(id)
    },
    "session.compacted": (id, _, name) => {
      known(id).compacted = compacted(name, id).catch(() => {})
      return known(id).compacted
    },
    "session.error": (id, { error }, name) => {
      stir(id)
      known(id).failed = true
      tell(error?.name === "MessageAbortedError" ? "abort" : "error", name, id, { error: error?.data?.message ?? error?.name })
    },
    "session.deleted": (id, _, name) => {
      stir(id)
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
        stir(input.sessionID)
        session.failed = false
        session.agent = input.agent ?? output.message?.agent
        const spoken = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        if (spoken.length === 0 || (await parentOf(input.sessionID))) return
        session.asked = output.message?.id
        const prompt = spoken.map((part) => part.text).join("\n")
        tell("prompt", "chat.message", input.sessionID, { prompt, permission_mode: session.agent, turn_id: session.asked })
        if (!RUN || session.messages.size > 0) return
        // What was said before this process began.
        for (const { info, parts } of await said(input.sessionID)) {
          if (!session.messages.has(info.id)) session.messages.set(info.id, { info, parts })
        }
      } catch {
        // As above.
      }
    },
    "experimental.chat.messages.transform": async (_, output) => {
      try {
        await remind(output.messages)
      } catch {
        // As above.
      }
    },
  }
}
