import { createIdentityQuestion } from '../../app/reauthentication.ts'
import { whenMemberLeaves } from '../../app/session.ts'
import { organizationTexts } from './texts.ts'

/** Of administrators, before what gives or takes power over others. */
export const { identityQuestion, withIdentity } = createIdentityQuestion(() => organizationTexts.identity.cancelled)

// What one member was about to do is not the next one's to confirm.
whenMemberLeaves(() => identityQuestion.answer(false))
