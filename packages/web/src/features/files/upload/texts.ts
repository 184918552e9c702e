import { limits } from '@privity/contract/limits'
import { isolating } from '../../../ui/translation.ts'

export const uploadTexts = isolating({
  approve: (firstName: string) => `Approve for ${firstName} at once (${limits.downloadsPerAuthorization} downloads)`,
  approveHint: (firstName: string) =>
    `${firstName} needs no request for files that you share here, and you can revoke the approval. Applies until you leave this conversation; the default is in Settings.`,
  approved: (firstName: string) => `Files are approved for ${firstName} at once.`,
})
