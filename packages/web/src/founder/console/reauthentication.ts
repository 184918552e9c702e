import type { FounderClient } from '@privity/client/founder'
import { createIdentityQuestion } from '../../app/reauthentication.ts'
import { consoleTexts } from './texts.ts'

const { identityQuestion, withIdentity } = createIdentityQuestion(() => consoleTexts.identity.cancelled)
export { identityQuestion }

/** Wraps the client: calls that require reauthentication ask the user and then run again. */
export const askingIdentity = (client: FounderClient): FounderClient => ({
  ...client,
  call: (endpoint, sent) => withIdentity(() => client.call(endpoint, sent)),
})
