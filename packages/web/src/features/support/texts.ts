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
  lead: 'Frequently asked questions, and a form to contact support.',
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
      'Support requests are not end-to-end encrypted: the people who answer them can read them. Do not include passwords, keys or the content of messages.',
    subject: 'Subject',
    category: 'Category',
    message: 'Message',
    priority: 'Priority',
    needed: 'Enter a subject and a message to submit.',
    count: (used: number, most: number) => `${used}/${most}`,
    submit: 'Submit request',
    submitting: 'Submitting...',
    bad: {
      subject: (most: number) =>
        `Enter the subject on one line of up to ${most} characters, without text direction characters or email headers such as “From:”.`,
      message: (most: number) => `Enter a message of up to ${most} characters.`,
      other: 'This choice is not accepted. Choose another.',
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
      'It is stored on this server, and nobody is notified of it by email. Quote this reference number when you ask the operator or your organization’s administrator about it.',
  },
  reference: {
    label: 'Reference number',
    copy: (reference: string) => `Copy reference ${reference}`,
    copied: 'Copied!',
    copyFailed: 'The reference could not be copied',
  },
  own: {
    title: 'Your requests',
    lead: 'Visible only to you and the people who answer them.',
    empty: 'No requests yet',
    notLoaded: 'Your requests could not be loaded.',
    sent: (date: string) => `Submitted ${date}`,
  },
  categories,
  priorities,
  states,
  contact: {
    title: 'Contact',
    lead: 'Other ways to get help.',
    email: 'Email',
    noEmail: 'No support address is set up on this server. Use the form, or ask your organization’s administrator.',
    chat: 'Live chat',
    chatHours: '9 AM to 6 PM EST',
    chatNone: 'There is no live chat in this version: these are its intended hours. Use the form at any hour.',
    response: 'Response time',
    responseText: 'Within 24 hours',
    responseTarget: 'Within 24 hours is the target. On this server nobody is notified of new requests by email.',
  },
  docs: {
    title: 'Documentation',
    lead: 'Where to read more and change settings.',
    links: [
      { href: '/privacy-security', label: 'Privacy & Security', text: 'What is protected, and what you can change.' },
      { href: '/settings', label: 'Settings', text: 'Notifications, appearance, dates and times.' },
      { href: '/connection-management', label: 'Connection Management', text: 'Codes, connections and verification.' },
      {
        href: '/account-settings',
        label: 'Account Settings',
        text: 'Profile, password, account recovery key, signed-in browsers.',
      },
      { href: '/threat-model', label: 'Threat model', text: 'What is covered, and what is not.' },
      { href: '/privacy', label: 'Privacy', text: 'What this server keeps about you, and for how long.' },
      { href: '/terms', label: 'Terms', text: 'The terms of use of Privity.' },
      { href: '/about', label: 'About', text: 'What Privity is, its version and its license.' },
    ],
    api: {
      href: '/api/docs',
      label: 'API reference',
      text: 'Every API call of this server, as OpenAPI 3.1 (JSON).',
    },
  },
  status: {
    title: 'System status',
    lead: 'Measured just now, between this browser and the server.',
    server: 'Server',
    serverStates: {
      good: 'Working',
      warning: 'Working, with a warning',
      draining: 'Restarting',
      critical: 'Database or file storage not responding',
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
