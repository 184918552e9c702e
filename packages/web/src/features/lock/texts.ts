export const lockTexts = {
  now: 'Lock now',
  shortcut: 'Ctrl+Shift+L',
}
