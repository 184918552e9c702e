import { deriveMasterKey } from '@privity/client'

export interface DerivationJob {
  password: string
  username: string
  version: number | undefined
}

export type DerivationAnswer = { key: Uint8Array<ArrayBuffer> } | { error: string }

const answer = (data: DerivationAnswer) => postMessage(data)

addEventListener('messageerror', () => answer({ error: 'The job cannot be read.' }))
addEventListener('message', (event: MessageEvent<DerivationJob>) => {
  const { password, username, version } = event.data
  deriveMasterKey(password, username, version)
    .then((key) => answer({ key }))
    .catch((error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }))
})
