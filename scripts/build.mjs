import { install } from './install.mjs'
import { runMain } from './project.mjs'
import { buildWebClient } from './webClient.mjs'

await runMain(async () => {
  await install()
  await buildWebClient()
})
