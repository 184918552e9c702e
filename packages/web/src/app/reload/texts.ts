export const offlineTexts = {
  asOf: (time: string) => `Offline: messages as of ${time}`,
}
