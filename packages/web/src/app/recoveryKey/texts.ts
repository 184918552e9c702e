export const recoveryKeyEntryTexts = {
  label: 'Account recovery key',
  hint: '13 groups of 5 characters, in upper or lower case, with or without hyphens.',
  complete: 'All 13 groups are correct.',
  groupWrong: (group: number) => `Group ${group} is incorrect. Compare it with your copy.`,
  missing: 'Enter your account recovery key.',
}
