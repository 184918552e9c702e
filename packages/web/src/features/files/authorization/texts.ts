import { limits } from '@privity/contract/limits'
import { isolating } from '../../../ui/translation.ts'

export const authorizationTexts = isolating({
  dialogTitle: 'File authorization requests',
  dialogHint: `Approve downloads only for trusted contacts. Approval gives the recipient up to ${limits.downloadsPerAuthorization} downloads.`,
  dialogEmpty: 'No pending requests',
  dialogEmptyHint: 'When someone requests one of your files, you decide about it here.',
  logged: 'All actions are logged.',
  close: 'Close',
  keyChanged: 'Their key has changed. Review it before you approve.',
  reviewKey: 'Review key',
  deny: 'Deny',
  approve: 'Approve',
  approveAll: (count: number, who: string) => `Approve all ${count} requests of ${who}`,
  allAuthorizedHint: (count: number) =>
    `The recipient can now download ${count} files, up to ${limits.downloadsPerAuthorization} times each.`,
  denyFile: (name: string) => `Deny ${name}`,
  approveFile: (name: string) => `Approve ${name}`,
  requestedAt: (time: string) => `requested ${time}`,
  unknownPerson: 'One of your contacts',
  unknownFile: 'A file whose name cannot be decrypted',
  approvedLine: (who: string, name: string) => `${who} can now download ${name}.`,
  deniedLine: (who: string, name: string) => `${who} cannot download ${name}.`,
  goneLine: (name: string) => `The request for ${name} was handled elsewhere.`,
  accessDenied: 'File Access Denied',
})
