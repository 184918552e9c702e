import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { install } from './install.mjs'
import { inProject, pinnedNode, projectEnv, runMain } from './project.mjs'

/** `npm run admin` and `npm run verify-audit`: run the operator's programs on the project's own Node. */
const [program, ...rest] = process.argv.slice(2)

await runMain(async () => {
  if (existsSync(inProject('.env'))) process.loadEnvFile(inProject('.env'))
  await install()
  const child = spawn(pinnedNode, [inProject('packages', 'server', 'src', `${program}.ts`), ...rest], {
    cwd: inProject(),
    env: projectEnv({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' }),
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 2))
  })
})
