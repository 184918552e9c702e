export const signOutTexts = {
  title: 'Log out and discard what was not sent?',
  sendings: 'Messages or files have not been sent yet.',
  drafts: 'A text that you were writing has not been sent.',
  lost: 'If you log out now, that is discarded.',
  confirm: 'Log out and discard',
}
