import { lifetime } from '../../../i18n/retention.ts'

export interface FaqEntry {
  question: string
  answer: string
}

/** Tests compare the numbers in the answers with the contract's limits. */
export const faqTexts: { entries: readonly FaqEntry[] } = {
  entries: [
    {
      question: 'How do I connect with someone?',
      answer:
        'Give the other person your connection code, or enter theirs under Connect to Someone. The connection is there for both of you at once, and stays until one of you removes it.',
    },
    {
      question: 'Does my connection code change?',
      answer:
        'No. It stays the same until you replace it yourself under Connection Management. The old code then stops working; your connections stay.',
    },
    {
      question: 'Who can read my messages?',
      answer:
        'You and the other person. Messages and files are end-to-end encrypted with 256-bit keys in your browsers, and the server stores only what it cannot open. It does see who writes to whom and when.',
    },
    {
      question: 'How long are messages kept?',
      answer: `At most ${lifetime.en}, counted for each message. Then the message and its file are destroyed on the server and disappear from both screens. Only what its recipient has reported is kept for longer. Connections and codes stay.`,
    },
    {
      question: 'What does “Delivered, confirmed” mean?',
      answer:
        'Each message carries a signed note of the newest message that its sender’s browser has opened. Once an answer names yours, its delivery is confirmed. That says nothing about the messages before it. “Sent”, “Delivered” and “Read” alone are what the server says.',
    },
    {
      question: 'What does “A message is missing here” mean?',
      answer:
        'Messages are signed together with their time, their number and the ones before them. If one of them still exists and the server does not deliver it, the place is marked. Ask the other person what they wrote. If it arrives later, the mark disappears and the message says that it arrived late.',
    },
    {
      question: 'How large can a file be?',
      answer: 'Up to 100MB per file. A larger one is refused before anything is uploaded.',
    },
    {
      question: 'Who can download a file I share?',
      answer:
        'Only the other person of that conversation, and only after you approve it: when they request it, or as you send it. One approval allows up to 3 downloads. You can download your own file at any time while it exists.',
    },
    {
      question: 'What is a safety number?',
      answer:
        'Sixty digits that are the same on both sides when nobody stands between you. Compare them by voice or in person (Info in a conversation), then mark the connection as verified. If a key changes later, a browser that knows the earlier one warns you and stops sending until you have reviewed the change.',
    },
    {
      question: 'I have forgotten my password. Can support reset it?',
      answer:
        'No. Your keys are locked with your password and with your account recovery key, and the server has neither. With your account recovery key you can set a new password from the sign-in page. Without both, nobody can open the account.',
    },
    {
      question: 'I have lost my second factor. What now?',
      answer:
        'Sign in with one of your backup codes, then set up another second factor. If those are lost too, ask an administrator of your organization to reset it: you can then sign in with your password alone. The account recovery key does not replace a second factor.',
    },
    {
      question: 'Why does a new browser show no messages from before?',
      answer:
        'You or your organization have chosen “Only approved browsers”. Choose “Approve it” on the Messages page and compare six digits with a browser that you have approved, or use your account recovery key. New messages arrive at once.',
    },
    {
      question: 'Why is my account locked?',
      answer:
        'After 5 failed sign-ins an account is locked for 15 minutes. A browser you have signed in with before keeps its own count, so that a stranger cannot lock you out of it.',
    },
    {
      question: 'What happens to a message when I am offline?',
      answer: `It is kept in this browser, encrypted, and sent automatically when the connection is back, even after a reload. It is kept for ${lifetime.en} at most.`,
    },
    {
      question: 'Can screenshots be prevented?',
      answer:
        'No. They are deterred. While screenshot protection is on, Privity warns you and logs when a screenshot key, printing, developer tools or the console, the right mouse button, copying outside text fields, dragging page content or hiding the page is noticed. Copying, dragging and hiding are logged without a notice. It never logs what you read or write. Anyone can photograph a screen.',
    },
    {
      question: 'Why does my name appear faintly behind the conversation?',
      answer:
        'It is a watermark with your username and the time, so that a photograph of the screen shows who was signed in. Your organization decides whether it is shown.',
    },
    {
      question: 'Are there keyboard shortcuts?',
      answer:
        'Ctrl+Shift+F searches in the open conversation, and Ctrl+Shift+L locks this browser; on a Mac too. Tab, Enter and Escape do the rest.',
    },
    {
      question: 'Are video and voice calls possible?',
      answer: 'Not yet; the buttons in a conversation say so. You can send messages and files.',
    },
    {
      question: 'Is what I write to support encrypted?',
      answer:
        'In transit and where it is stored, yes; end-to-end, no. The people who answer can read it, and it may be forwarded by email. Do not include secrets.',
    },
  ],
}
