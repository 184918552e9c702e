import { limits } from '@privity/contract/limits'
import type { Preferences } from '@privity/contract/preferences'

const theme: Record<Preferences['theme'], string> = { light: 'Light', dark: 'Dark', system: 'System' }
const fontSize: Record<Preferences['fontSize'], string> = { small: 'Small', medium: 'Medium', large: 'Large' }
const timeFormat: Record<Preferences['timeFormat'], string> = { '12h': '12h', '24h': '24h' }

export const preferenceTexts = {
  title: 'Settings',
  notifications: { title: 'Notifications', lead: 'Notifications never include the text of a message.' },
  appearance: { title: 'Appearance', lead: 'Applies to every browser you sign in with.' },
  regional: { title: 'Language and region', lead: 'The language, and the format of dates and times.' },
  performance: { title: 'Performance', lead: 'Useful on slow or metered networks.' },
  writing: { title: 'Writing', lead: 'The field in which you write messages.' },
  files: { title: 'Files', lead: 'A contact downloads a file only with your approval.' },
  switches: {
    pushNotifications: { label: 'Push notifications', hint: 'Shown in browsers where you have allowed them.' },
    messageNotifications: { label: 'Message notifications', hint: 'When someone writes to you or requests a file.' },
    connectionNotifications: { label: 'Connection notifications', hint: 'When someone connects with your code.' },
    soundEnabled: { label: 'Sound', hint: 'A short tone with each notification.' },
    compactMode: { label: 'Compact mode', hint: 'Shorter rows and smaller controls. Touch targets stay 44 px.' },
    animationsEnabled: { label: 'Animations', hint: 'Also off if your system requests reduced motion.' },
    autoSync: {
      label: 'Auto sync',
      hint: 'Show new messages as they arrive. Off: they are counted, and shown when you press Load new messages.',
    },
    backgroundSync: {
      label: 'Background sync',
      hint: 'Stay up to date while the tab is hidden. Off: a hidden tab goes offline and shows no notifications.',
    },
    preloadMessages: {
      label: 'Preload messages',
      hint: 'Load and decrypt your latest conversations in advance, so that they open without delay.',
    },
    enterBreaksLine: {
      label: 'Enter makes a new line',
      hint: 'Ctrl+Enter or Cmd+Enter sends. Off: Enter sends, and Shift+Enter makes a new line.',
    },
    approveAtSending: {
      label: 'Approve at sending',
      hint: `Each file that you send is approved at once: up to ${limits.downloadsPerAuthorization} downloads without a request. You can revoke it. The upload options change this for one conversation.`,
    },
  },
  email: {
    label: 'Email notifications',
    hint: 'An email when a message will soon disappear unread: without sender and text, once until you are back, and not while a browser of yours has push notifications. Emails about the security of your account do not depend on this switch.',
    none: 'Not available: this server sends no email.',
  },
  compression: {
    label: 'Data compression',
    hint: 'Always on for the application itself. Messages and files are never compressed: encrypted data does not shrink, and compressing before encryption could reveal content by its length.',
  },
  theme: 'Theme',
  themes: theme,
  fontSize: 'Font size',
  fontSizes: fontSize,
  language: 'Language',
  dateFormat: 'Date format',
  today: (date: string) => `Today is ${date}.`,
  timeFormat: 'Time format',
  timeFormats: timeFormat,
  now: (time: string) => `It is ${time}.`,
  unsaved: 'You have unsaved changes.',
  save: 'Save Changes',
  cancel: 'Cancel',
  saved: 'Settings saved',
  savedHint: 'Your preferences have been updated.',
  notLoaded: 'Your settings could not be loaded.',
  leave: {
    title: 'Leave without saving?',
    hint: 'Your changes to the settings are not saved yet.',
    confirm: 'Leave',
    stay: 'Stay',
  },
}
