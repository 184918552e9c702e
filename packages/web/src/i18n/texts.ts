export const deviceTexts = {
  unknown: 'Unknown device',
  on: (browser: string, system: string) => `${browser} on ${system}`,
}
