import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { inProject, pinnedNode, projectEnv, root } from './project.mjs'

const isWindows = process.platform === 'win32'
/** Milliseconds that a process group has to end after SIGINT before SIGKILL. */
const graceMs = 10_000

/** Returns false when no process of the group is left. */
function signalGroup(leader, signal) {
  try {
    return process.kill(-leader, signal)
  } catch {
    return false
  }
}

async function endGroup(leader) {
  const until = Date.now() + graceMs
  signalGroup(leader, 'SIGINT')
  while (signalGroup(leader, 0) && Date.now() < until) await wait(50)
  signalGroup(leader, 'SIGKILL')
}

/**
 * Runs a program in the project's root and resolves with {code, output}. The output is shown as it arrives, or only
 * collected with `quiet`. A program that cannot be started resolves with code 127; one that exceeds `timeout` (ms) is
 * ended and resolves with 124. `whole` also ends the processes that the program started and left behind.
 */
export function run(program, args, { env, quiet = false, timeout, whole = false } = {}) {
  const isGroup = whole && !isWindows
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: projectEnv(env),
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell: isWindows && !program.endsWith('.exe'),
      detached: isGroup,
    })
    let output = ''
    const append = (part) => {
      output += part
    }
    child.stdout?.setEncoding('utf8').on('data', append)
    child.stderr?.setEncoding('utf8').on('data', append)
    const stop = () => {
      if (isGroup) void endGroup(child.pid)
      else child.kill('SIGTERM')
    }
    let isLate = false
    const stopLate = () => {
      isLate = true
      stop()
    }
    const limit = timeout && setTimeout(stopLate, timeout)
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    const end = (code) => {
      clearTimeout(limit)
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve({ code: isLate ? 124 : code, output })
    }
    child.once('error', (error) => {
      output += error.message
      end(127)
    })
    child.once('close', (code) => {
      const ended = () => end(code ?? 1)
      if (isGroup) void endGroup(child.pid).then(ended)
      else ended()
    })
  })
}

/** Runs one of the installed tools (`tsc`, `vite` …) with the project's own Node. */
export const runTool = (name, args, options) =>
  run(pinnedNode, [inProject('node_modules', '.bin', name), ...args], options)

/**
 * Runs npm: the one that started this script, on its own Node, or else the machine's. Never on the project's own Node,
 * which an installation removes and replaces.
 */
export function runNpm(args, options) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  return npm && node ? run(node, [npm, ...args], options) : run('npm', args, options)
}
