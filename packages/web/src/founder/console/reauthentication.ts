import type { FounderClient } from '@privity/client/founder'
import { createIdentityQuestion } from '../../app/reauthentication.ts'
import { consoleTexts } from './texts.ts'

const { identityQuestion, withIdentity } = createIdentityQuestion(() => consoleTexts.identity.cancelled)
export { identityQuestion }

/** The same client, whose calls ask who is there where the server wants to know, and are then repeated as they were. */
export const askingIdentity = (client: FounderClient): FounderClient => ({
  ...client,
  call: (endpoint, sent) => withIdentity(() => client.call(endpoint, sent)),
})
