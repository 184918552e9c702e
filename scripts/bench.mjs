import { readdirSync } from 'node:fs'
import { run } from './child.mjs'
import { findChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { inProject, pinnedNode, Refusal, runMain } from './project.mjs'

/** `npm run bench` runs every benchmark in bench/; `npm run bench -- NAME [arguments]` one of them. */
const [name, ...rest] = process.argv.slice(2)

await runMain(async () => {
  await install()
  const names = readdirSync(inProject('bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
  if (name && !names.includes(name))
    throw new Refusal(`There is no benchmark '${name}'. There are: ${names.join(', ')}.`)
  const env = { CHROMIUM_PATH: await findChromium() }
  for (const each of name ? [name] : names) {
    console.log(`\n— ${each}`)
    const { code } = await run(pinnedNode, ['--expose-gc', inProject('bench', `${each}.ts`), ...rest], { env })
    if (code !== 0) throw new Refusal(`The benchmark ${each} ended with ${code}.`)
  }
})
