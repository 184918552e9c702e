import { isolating } from '../../ui/translation.ts'

export const connectionTexts = isolating({
  yourCode: 'Your connection code',
  digits: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  copyCode: 'Copy Code',
  copied: 'Copied!',
  codeCopied: 'Connection code copied to clipboard',
  copyFailed: 'The code could not be copied',
  copyFailedHint: 'Select it and copy it by hand.',
  share: 'Share',
  invitation: (code: string, link: string) =>
    `Join me on Privity for private messages and files. Open ${link} to connect, or enter my code: ${code}`,
  invitationCopied: 'Invitation copied to clipboard',
  connectTo: 'Connect to Someone',
  codeExample: 'ABC-DEF-234',
  malformed: 'A code has 3 letters, 3 letters and 3 digits, like ABC-DEF-234. It has no I, O, 0 or 1.',
  fromLink: 'This code is from a link. When you connect, your browser checks that their key is the one in the link.',
  codeQr: 'The link to your code as a QR code',
  codeQrHint:
    'Scanning it opens a link that fills in your code. The other browser then checks your key against the link.',
  connect: 'Connect',
  connecting: 'Connecting...',
  established: 'Connection established successfully!',
  notEstablished: 'Failed to create connection',
  active: 'Active Connections',
  none: 'No connections yet',
  noneHint: 'Give your code to one person you trust, or enter theirs above.',
  connectedOn: (date: string) => `Connected ${date}`,
  unavailable: 'Unavailable',
  loading: 'Loading connections...',
  notLoaded: 'Connections could not be loaded.',
  removed: (name: string) => `Your connection with ${name} was removed`,
  removedHint: 'Its messages and files were deleted for both of you.',
  select: 'Select a Connection',
  selectHint:
    "Each conversation belongs to you and one other person. Share your code, or enter someone else's, to start the first one.",
  selectHintSome: 'Each conversation belongs to you and one other person. Choose one from your connections.',
})
