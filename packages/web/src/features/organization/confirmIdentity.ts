import { createIdentityQuestion } from '../../core/identityQuestion.ts'
import { organizationTexts } from './texts.ts'

/** Of administrators, before what gives or takes power over others. */
export const { identityQuestion, withIdentity } = createIdentityQuestion(() => organizationTexts.identity.cancelled)
