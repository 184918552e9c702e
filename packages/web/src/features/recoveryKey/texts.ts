export const recoveryKeyTexts = {
  page: 'Save your recovery key',
  title: 'Save your recovery key',
  lead: 'It is shown once. With it you can set a new password if you forget yours; nobody else can, and neither can we. Keep it where you keep deeds, not in this browser.',
  keyLabel: 'Recovery key',
  copy: 'Copy',
  copied: 'Copied!',
  copiedToast: 'Recovery key copied to clipboard',
  copyFailed: 'The key could not be copied',
  copyFailedWhy: 'Download it, or write it down.',
  download: 'Download',
  fileName: (username: string) => `privity-recovery-key-${username}.txt`,
  file: (username: string, key: string) =>
    `Privity recovery key of ${username}\n\n${key}\n\nWhoever has this key and your username can set a new password for your account.\nKeep it in a safe place, apart from your devices.\n`,
  saved: 'I have saved it',
  savedHint: 'Tick the box once the key is in a safe place.',
  proceed: 'Continue',
}
