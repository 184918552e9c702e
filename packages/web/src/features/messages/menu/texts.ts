import { isolating } from '../../../ui/translation.ts'

export const menuTexts = isolating({
  reply: 'Reply',
  copy: 'Copy',
  copied: 'Message copied',
  notCopied: 'Message could not be copied',
  report: 'Report message',
  deleteForBoth: 'Delete for both',
  deletion: {
    title: 'Delete this message for both?',
    explained: (firstName: string) =>
      `${firstName} may have read it. It is destroyed on the server. "Message deleted" stays in its place until it would have disappeared.`,
    explainedFile: (firstName: string) =>
      `${firstName} may have downloaded it. The message and its file are destroyed on the server. "Message deleted" stays in their place until they would have disappeared.`,
    offline: 'This needs a connection to the server. You are offline.',
    confirm: 'Delete for both',
    busy: 'Deleting',
    failed: 'The message was not deleted',
  },
})
