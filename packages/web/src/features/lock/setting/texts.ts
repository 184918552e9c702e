export const lockSettingTexts = {
  after: 'Lock this browser',
  afterHint:
    'After this time without use, this browser keeps no keys in any tab until you enter your password. Drafts and unsent messages stay, encrypted. A file that is being sent or downloaded counts as use. For this browser only.',
  minutes: (minutes: number) =>
    minutes === 0
      ? 'Never'
      : minutes === 60
        ? 'After 1 hour'
        : `After ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  byOrganization: (minutes: number) =>
    `Your organization allows at most ${minutes === 60 ? '1 hour' : minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
  saved: 'Setting updated',
}
