import { deriveMasterKey } from '@privity/client'

export interface DerivationJob {
  password: string
  username: string
}

export type DerivationAnswer = { key: Uint8Array<ArrayBuffer> } | { error: string }

const answer = (data: DerivationAnswer) => postMessage(data)

addEventListener('message', (event: MessageEvent<DerivationJob>) => {
  deriveMasterKey(event.data.password, event.data.username)
    .then((key) => answer({ key }))
    .catch((error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }))
})
