import { spawn } from 'node:child_process'
import { inProject, pinnedNode, projectEnv, root } from './project.mjs'

/**
 * Runs a program in the project's root and answers {code, output}. Its output is shown as it comes,
 * or only gathered when `quiet`. A program that cannot be started answers code 127.
 */
export function run(program, args, { env, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: projectEnv(env),
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32' && !program.endsWith('.exe'),
    })
    let output = ''
    const gather = (part) => {
      output += part
    }
    child.stdout?.setEncoding('utf8').on('data', gather)
    child.stderr?.setEncoding('utf8').on('data', gather)
    const stop = () => child.kill('SIGTERM')
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    const end = (code) => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve({ code, output })
    }
    child.once('error', (error) => {
      output += error.message
      end(127)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}

/** Runs one of the installed tools (`tsc`, `vite` …) with the project's own Node. */
export const runTool = (name, args, options) =>
  run(pinnedNode, [inProject('node_modules', '.bin', name), ...args], options)

/**
 * Runs npm: the one that started this script, on the Node that it runs on, or the machine's. Never on the
 * project's own Node, which an install takes away and puts back.
 */
export function runNpm(args, options) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  return npm && node ? run(node, [npm, ...args], options) : run('npm', args, options)
}
