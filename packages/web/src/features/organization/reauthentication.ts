import { createIdentityQuestion } from '../../app/reauthentication.ts'
import { whenMemberLeaves } from '../../app/session.ts'
import { organizationTexts } from './texts.ts'

/** Reauthentication of administrators, required before changes to other people's access. */
export const { identityQuestion, withIdentity } = createIdentityQuestion(() => organizationTexts.identity.cancelled)

// When the member leaves, cancel: the next member must not confirm their call.
whenMemberLeaves(() => identityQuestion.answer(false))
