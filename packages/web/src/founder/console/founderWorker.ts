import { deriveFounderMasterKey } from '@privity/client/founder'

export interface DerivationJob {
  password: string
  salt: string
}

export type DerivationResult = { key: Uint8Array<ArrayBuffer> } | { error: string }

const post = (result: DerivationResult) => postMessage(result)

addEventListener('messageerror', () => post({ error: 'The job cannot be read.' }))
addEventListener('message', (event: MessageEvent<DerivationJob>) => {
  deriveFounderMasterKey(event.data.password, event.data.salt)
    .then((key) => post({ key }))
    .catch((error: unknown) => post({ error: error instanceof Error ? error.message : String(error) }))
})
