export const secretsTexts = {
  title: 'What each secret is for',
  lead: 'Six things that are easily confused. The first four let you in, the last two are between you and your contacts.',
  drawing:
    'Password and passkey or authenticator app lead together to your account. If you have forgotten the password, the account recovery key takes its place; if the passkey or app is lost, a backup code does. Between you and a contact: the connection code makes the connection, and the safety number is compared on both sides.',
  boxes: {
    password: ['Password'],
    factor: ['Passkey or app'],
    recoveryKey: ['Account', 'recovery key'],
    backupCode: ['Backup code'],
    account: 'Your account',
    you: 'You',
    contact: 'Contact',
    code: 'Connection code',
    safetyNumber: 'Safety number',
  },
  forgotten: 'forgotten?',
  lost: 'lost?',
  keepLabel: 'Keep it',
  lostLabel: 'If it is lost',
  items: [
    {
      name: 'Password',
      purpose: 'You sign in with it, and it unlocks your keys in the browser.',
      keep: 'In your head or in a password manager.',
      lost: 'Set a new one with your account recovery key, under Forgot password?',
    },
    {
      name: 'Account recovery key',
      purpose: 'It sets a new password when you have forgotten yours.',
      keep: 'On paper, with your important documents.',
      lost: 'Make a new one under Account Settings while you still know your password.',
    },
    {
      name: 'Passkey or authenticator app',
      purpose: 'The second factor: you show it after your password.',
      keep: 'On your phone, or as a security key on your key ring.',
      lost: 'Sign in with a backup code, then set up another one under Privacy & Security.',
    },
    {
      name: 'Backup codes',
      purpose: 'Each of them stands in for the second factor one time.',
      keep: 'On paper, apart from your phone.',
      lost: 'Make new ones under Privacy & Security. If the second factor is lost as well, ask an administrator of your organization.',
    },
    {
      name: 'Connection code',
      purpose: 'People connect with you by it. Give it to everyone from whom you want to hear.',
      keep: 'It is no secret from them.',
      lost: 'It stands on the Messages page. You can replace it under Connection Management.',
    },
    {
      name: 'Safety number',
      purpose:
        'Compare it with a contact by voice or in person. If it is the same on both sides, you have each other’s keys.',
      keep: 'No need to: Info in a conversation shows it.',
      lost: 'If it has changed, compare it again before you write on.',
    },
  ],
}
