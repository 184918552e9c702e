export const recoveryKeyTexts = {
  page: 'Save your recovery key',
  title: 'Save your recovery key',
  lead: 'It is shown once. With it you can set a new password if you forget yours; nobody else can, not even us. Store it with your important documents, not in this browser.',
  keyLabel: 'Recovery key',
  copy: 'Copy',
  copied: 'Copied!',
  copiedToast: 'Recovery key copied to clipboard',
  copyFailed: 'The key could not be copied',
  copyFailedWhy: 'Download it, or write it down.',
  download: 'Download',
  fileName: (username: string) => `privity-recovery-key-${username}.txt`,
  file: (username: string, key: string) =>
    `Privity recovery key for ${username}\n\n${key}\n\nAnyone who has this key and your username can set a new password for your account.\nKeep it in a safe place, apart from your devices.\n`,
  saved: 'I have saved it',
  savedHint: 'Tick the box once the key is in a safe place.',
  proceed: 'Continue',
  notConfirmed: 'Not confirmed',
  notConfirmedWhy: 'Your confirmation could not be sent to the server. Try again.',
  unsaved:
    'You have not confirmed that you saved your recovery key. You need it to set a new password if you forget yours.',
  makeNew: 'Create a new recovery key',
}
