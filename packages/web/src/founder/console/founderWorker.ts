import { deriveFounderMasterKey } from '@privity/client/founder'

export interface FounderDerivationJob {
  password: string
  salt: string
}

export type FounderDerivationAnswer = { key: Uint8Array<ArrayBuffer> } | { error: string }

const answer = (data: FounderDerivationAnswer) => postMessage(data)

addEventListener('message', (event: MessageEvent<FounderDerivationJob>) => {
  deriveFounderMasterKey(event.data.password, event.data.salt)
    .then((key) => answer({ key }))
    .catch((error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }))
})
