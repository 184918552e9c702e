import type { SupportCategory, SupportPriority, SupportRequest } from '@privity/contract/support'

const categories: Record<SupportCategory, string> = {
  general: 'General question',
  account: 'Account and sign-in',
  connections: 'Connections and codes',
  messages: 'Messages',
  files: 'Files and downloads',
  security: 'Security',
}
const priorities: Record<SupportPriority, string> = { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' }
const states: Record<SupportRequest['state'], string> = { open: 'Open', closed: 'Closed' }

export const supportTexts = {
  title: 'Help & Support',
  lead: 'Answers first, then a form for what they leave open.',
  faq: {
    title: 'Frequently asked questions',
    lead: 'How Privity works, and what it cannot do.',
    search: 'Search questions',
    found: (count: number) => (count === 1 ? '1 question' : `${count} questions`),
    empty: 'No matching questions found. Try different keywords or contact support.',
  },
  form: {
    title: 'Contact support',
    lead: 'Your request is stored with a reference number that you can quote.',
    notEncrypted:
      'This is not a conversation: what you write here is not end-to-end encrypted. Whoever answers it can read it. Leave out passwords, keys and the content of messages.',
    subject: 'Subject',
    category: 'Category',
    message: 'Message',
    priority: 'Priority',
    needed: 'A subject and a message are needed to submit.',
    count: (used: number, most: number) => `${used}/${most}`,
    submit: 'Submit Request',
    submitting: 'Submitting...',
    bad: {
      subject: (most: number) =>
        `Write the subject in one line of up to ${most} characters, without marks that turn the direction of text or a mail header such as “From:”.`,
      message: (most: number) => `Write the message in up to ${most} characters.`,
      other: 'This is not accepted. Choose another.',
    },
    failed: 'Support request not submitted',
    failedHint: 'Check your connection, then submit again. What you wrote is still there.',
  },
  submitted: {
    toast: 'Support ticket submitted',
    toastText: 'We will reply within 24 hours.',
    /** If the server has no support address, nobody is notified of requests by email. */
    toastTarget: 'A reply within 24 hours is the target.',
    title: 'Your request was submitted',
    text: 'We will reply within 24 hours. Quote this reference number if you ask about it.',
    textTarget:
      'It is stored on this server, and nobody is told of it by email. Quote this reference number when you ask its operator or your organization’s administrator about it.',
  },
  reference: {
    label: 'Reference number',
    copy: (reference: string) => `Copy reference ${reference}`,
    copied: 'Copied!',
    copyFailed: 'The reference could not be copied',
  },
  own: {
    title: 'Your requests',
    lead: 'Only you and those who answer see them.',
    empty: 'No requests yet',
    notLoaded: 'Your requests could not be loaded.',
    sent: (date: string) => `Submitted ${date}`,
  },
  categories,
  priorities,
  states,
  contact: {
    title: 'Contact',
    lead: 'Other ways to reach someone.',
    email: 'Email',
    noEmail: 'No support address is set up on this server. Use the form, or ask your organization’s administrator.',
    chat: 'Live chat',
    chatHours: '9 AM to 6 PM EST',
    chatNone: 'There is no live chat in this version: these are its intended hours. Use the form at any hour.',
    response: 'Reply',
    responseText: 'Within 24 hours',
    responseTarget: 'Within 24 hours is the target. On this server nobody is told of a new request by email.',
  },
  docs: {
    title: 'Documentation',
    lead: 'Where each thing is explained or set.',
    links: [
      { href: '/privacy-security', label: 'Privacy & Security', text: 'What is protected, and what you can switch.' },
      { href: '/settings', label: 'Settings', text: 'Notifications, appearance, dates and times.' },
      { href: '/connection-management', label: 'Connection Management', text: 'Codes, connections and verification.' },
      {
        href: '/account-settings',
        label: 'Account Settings',
        text: 'Profile, password, recovery key, signed-in browsers.',
      },
      { href: '/threat-model', label: 'Threat model', text: 'What is covered, and what is not.' },
      { href: '/privacy', label: 'Privacy', text: 'What this server keeps about you, and for how long.' },
      { href: '/terms', label: 'Terms', text: 'On what terms Privity is used.' },
      { href: '/about', label: 'About', text: 'What Privity is, its version and its licence.' },
    ],
    api: {
      href: '/api/docs',
      label: 'Interface for programs',
      text: 'Every call of this server, as OpenAPI 3.1 (JSON).',
    },
  },
  status: {
    title: 'System status',
    lead: 'Measured now, between this browser and the server.',
    server: 'Server',
    serverStates: {
      good: 'Working',
      warning: 'Working, with a warning',
      draining: 'Restarting',
      critical: 'Its database or files do not answer',
      unreachable: 'Cannot be reached',
      checking: 'Checking...',
    },
    live: 'Live connection',
    liveStates: { connected: 'Connected', connecting: 'Connecting...', disconnected: 'Disconnected' },
    version: 'Server version',
    checkedAt: (time: string) => `Checked at ${time}`,
    check: 'Check now',
    checking: 'Checking...',
  },
}
