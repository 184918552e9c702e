import { formatNumber, plural } from '../../i18n/language.ts'
import { isolating } from '../../ui/translation.ts'

const roles = { user: 'User', org_admin: 'Admin', super_admin: 'Super Admin' }

const users = {
  title: 'Users',
  counts: (active: string, inactive: string) => `${active} active, ${inactive} inactive`,
  more: (counted: string) => `${counted} or more`,
  search: 'Search users',
  searchHint: 'Start of name or email',
  found: (count: string) => `${count} found`,
  table: 'Users of the organization',
  columns: { name: 'Name', email: 'Email', role: 'Role', status: 'Status', joined: 'Joined', actions: 'Actions' },
  you: '(you)',
  none: 'No users found in your organization',
  noMatch: (wanted: string) => `No user matches “${wanted}”`,
  noMatchHint: 'The search looks at the beginning of each word of names, email addresses and usernames.',
  clearSearch: 'Clear search',
  notLoaded: 'The users could not be loaded.',
  active: 'Active',
  inactive: 'Inactive',
  suspended: 'Suspended',
  locked: 'Locked',
  lockedHint: 'Locked for 15 minutes after failed sign-ins',
  unlock: (name: string) => `Unlock ${name}`,
  roleOf: (name: string) => `Role of ${name}`,
  ownAccount: 'None for your own account',
  aboveRank: 'Only for a Super Admin',
  activate: 'Activate',
  deactivate: 'Deactivate',
  activateName: (name: string) => `Activate ${name}`,
  deactivateName: (name: string) => `Deactivate ${name}`,
  hasFactor: 'Second factor',
  noFactor: 'No second factor',
  resetFactor: (name: string) => `Reset the second factor of ${name}`,
  remove: (name: string) => `Delete ${name}`,
}

const changes = {
  activated: 'User Activated',
  activatedHint: (name: string) => `${name} can sign in again.`,
  deactivated: 'User Deactivated',
  deactivatedHint: (name: string) => `${name} is signed out everywhere and cannot sign in.`,
  statusFailed: 'Status Change Failed',
  statusFailedHint: 'Failed to change user status',
  roleUpdated: 'Role Updated',
  roleUpdatedHint: (name: string, role: string) => `${name} is now ${role} and has to sign in again.`,
  roleFailed: 'Role Change Failed',
  roleFailedHint: 'Failed to change user role',
  promoteHint:
    'A Super Admin can change the role of every member, including yours, and delete any account but their own.',
  roleTitle: (name: string, role: string) => `Change the role of ${name} to ${role}?`,
  signedOut: (name: string) => `${name} is signed out everywhere.`,
  roleConfirm: 'Change role',
  deactivateTitle: (name: string) => `Deactivate ${name}?`,
  deactivateHint: (name: string) =>
    `${name} is signed out everywhere, and cannot sign in until an administrator activates the account again.`,
  deactivateConfirm: 'Deactivate',
  deleted: 'User Deleted',
  deletedHint: (name: string) => `The account of ${name} and all its data have been deleted.`,
  deleteFailed: 'Delete Failed',
  deleteFailedHint: 'Failed to delete user',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteHint: (name: string) =>
    `The account, keys, connections, messages and files of ${name} are destroyed at once, for their contacts too. None of it can be recovered. To block ${name} without deleting anything, deactivate the account instead.`,
  deleteConfirm: 'Delete user',
  deleting: 'Deleting...',
  unlocked: 'Account Unlocked',
  unlockedHint: (name: string) => `${name} can sign in again.`,
  unlockFailed: 'Unlock Failed',
  unlockFailedHint: 'Failed to unlock the account',
  factorReset: 'Second factor reset',
  factorResetHint: (name: string) => `${name} is signed out everywhere and can sign in with the password alone.`,
  resetFailed: 'Reset failed',
  resetFailedHint: 'Failed to reset the second factor',
  resetTitle: (name: string) => `Reset the second factor of ${name}?`,
  resetHint: (name: string) =>
    `For members who have lost their authenticator app, passkeys and backup codes. These are removed, and ${name} is signed out everywhere and can then sign in with the password alone. Make sure that the request really comes from ${name}. ${name} will be notified.`,
  resetConfirm: 'Reset second factor',
  resetting: 'Resetting...',
}

const overview = {
  details: 'Organization Details',
  name: 'Name',
  type: 'Type',
  total: 'Total users',
  active: 'Active users',
  statistics: 'User Statistics',
  admins: 'Admins',
  users: 'Regular users',
  inactive: 'Inactive users',
  notLoaded: 'The organization could not be loaded.',
  edit: 'Edit',
  editName: 'Edit name and type of the organization',
  editTitle: 'Organization Details',
  editHint: 'All members and invited people see the name.',
  save: 'Save Changes',
  saving: 'Saving...',
  saved: 'Setting updated',
  savedHint: (name: string, type: string) => `${name}, ${type}`,
  notSaved: 'Setting not updated',
  notSavedHint: 'Nothing was changed. Try again.',
  nameMissing: 'Enter a name.',
  typeMissing: 'Enter the type of organization.',
  oneLine: 'Use one line, without text direction characters or an email header at the beginning.',
}

const policy = {
  title: 'Policy',
  lead: 'Applies to every member and overrides their own settings. Members see that the organization has set it.',
  notLoaded: 'The policy could not be loaded.',
  updated: 'Setting updated',
  failed: 'Setting not updated',
  failedHint: 'Nothing was changed. Try again.',
  switches: {
    twoFactor: {
      label: 'Require two-factor authentication',
      hint: 'Members need an authenticator app or a passkey in addition to their password.',
    },
    screenshotProtection: {
      label: 'Enforce screenshot protection',
      hint: 'Deters screenshots, printing, copying and developer tools for every member, and logs each attempt.',
    },
    watermark: {
      label: 'Watermark',
      hint: "Shows the reader's username and the time faintly behind every conversation.",
    },
    sessionTimeout: {
      label: 'Enforce session timeout',
      hint: 'Members are signed out after 24 hours of inactivity.',
    },
    onlyApprovedBrowsers: {
      label: 'Require approved browsers',
      hint: 'A new browser of a member opens nothing from before until another one of theirs or the account recovery key approves it.',
    },
    pushForbidden: {
      label: 'Forbid push notifications',
      hint: 'No push service, such as that of Google or Apple, learns when a member gets a message. Push notifications that members have switched on end at once.',
    },
    directory: {
      label: 'Directory of members',
      hint: 'Members find one another by name and can ask to connect: the name of every active member becomes visible to all members.',
    },
    invitationOnly: {
      label: 'Sign-up by invitation only',
      hint: 'Nobody can join this organization without an invitation. People without a link are told so at sign-up.',
    },
  },
  sessionDays: {
    label: 'Maximum session length',
    hint: 'Members have to sign in again once their last sign-in is this long ago, even if they use Privity all the time.',
    count: (days: number) => plural(days, { one: '1 day', other: `${formatNumber(days)} days` }),
  },
  lockAfter: {
    label: 'Lock browsers without use',
    hint: 'After this time at the latest, a browser of a member keeps no keys until the password is entered. Members can choose a shorter time.',
    minutes: (minutes: number) =>
      minutes === 0
        ? 'Members choose'
        : minutes === 60
          ? 'After 1 hour'
          : plural(minutes, { one: 'After 1 minute', other: `After ${minutes} minutes` }),
  },
  require: {
    title: 'Require two-factor authentication?',
    hint: 'From now on, members without a second factor, including you, have to set one up before they can continue.',
    laterHint:
      'From that date on, members without a second factor, including you, have to set one up before they can continue. Until then they see a notice with the date.',
    confirm: 'Require it',
    changeTitle: 'Change the date for two-factor authentication?',
    when: 'Start',
    choices: { now: 'Immediately', later: 'On a date' },
    day: 'Date',
    invalid: 'Choose a date after today and within a year.',
  },
  announced: (date: string) => `Two-factor authentication is required from ${date}`,
  changeDay: 'Change date',
  concerned: (count: number) =>
    count === 0
      ? 'Every active member has a second factor.'
      : plural(count, {
          one: '1 active member has no second factor yet.',
          other: `${formatNumber(count)} active members have no second factor yet.`,
        }),
  release: {
    title: 'Stop requiring two-factor authentication?',
    hint: 'Members can then switch it off and sign in with their password alone. It stays on for those who do not.',
    confirm: 'Stop requiring it',
  },
  switchedOn: (setting: string) => `${setting}: on`,
  switchedOff: (setting: string) => `${setting}: off`,
  domains: {
    label: 'Allowed sign-up email domains',
    hint: 'Only addresses in these domains can sign up or be entered in a profile. Subdomains have to be listed separately.',
    any: 'Every domain is allowed.',
    add: 'Domain to allow',
    placeholder: 'example.com',
    addButton: 'Add',
    remove: (domain: string) => `Remove ${domain}`,
    openTitle: 'Allow every email domain?',
    openHint: 'This is the last domain in the list: without it, addresses in every domain can sign up.',
    openConfirm: 'Allow every domain',
    outsideTitle: (domain: string) => `Allow ${domain}?`,
    outsideHint: (count: number) =>
      plural(count, {
        one: '1 member has an address outside the allowed domains and keeps their account.',
        other: `${formatNumber(count)} members have addresses outside the allowed domains and keep their accounts.`,
      }),
    outsideConfirm: 'Allow domain',
    invalid: 'Enter just the domain, for example example.com.',
    known: 'This domain is already in the list.',
    full: (most: number) => `The list can have at most ${most} domains.`,
  },
}

const invitations = {
  title: 'Invitations',
  invite: 'Invite',
  inviteTitle: 'Invite someone',
  lead: 'Each link lets one person join this organization.',
  role: 'Role',
  validFor: 'Valid for',
  hours: (count: number) => plural(count, { one: '1 hour', other: `${count} hours` }),
  days: (count: number) => plural(count, { one: '1 day', other: `${count} days` }),
  create: 'Create invitation',
  creating: 'Creating...',
  failed: 'Invitation not created',
  failedHint: 'Failed to create the invitation',
  linkTitle: 'Invitation created',
  linkHint: 'Copy the link now: it is shown once. Anyone who has it can use it, so send it to one person only.',
  link: 'Invitation link',
  copy: 'Copy link',
  copied: 'Copied!',
  copiedHint: 'Invitation link copied to clipboard',
  notCopied: 'The link could not be copied',
  notCopiedHint: 'Select it and copy it by hand.',
  done: 'Done',
  notLoaded: 'The invitations could not be loaded.',
  table: 'Invitations of the organization',
  columns: {
    role: 'Role',
    state: 'Status',
    created: 'Created',
    expires: 'Expires',
    used: 'Used by',
    actions: 'Actions',
  },
  states: { open: 'Open', used: 'Used', revoked: 'Revoked', expired: 'Expired' },
  by: (name: string) => `by ${name}`,
  server: 'the server',
  never: 'Never',
  notUsed: 'Nobody',
  gone: 'a deleted user',
  deletedUser: (number: string) => `Deleted user ${number}`,
  none: 'No invitations',
  noneHint: 'Invitations you create appear here, with the person who used them.',
  revoke: 'Revoke',
  revokeOf: (role: string, date: string) => `Revoke the ${role} invitation created on ${date}`,
  revokeTitle: 'Revoke this invitation?',
  revokeHint: 'Its link stops working at once. Members who signed up with other links are not affected.',
  revokeConfirm: 'Revoke invitation',
  revoking: 'Revoking...',
  revoked: 'Invitation revoked',
  revokedHint: 'Its link no longer works.',
  notRevoked: 'Invitation not revoked',
  notRevokedHint: 'Failed to revoke the invitation',
}

const identity = {
  title: 'Confirm your identity',
  why: 'This changes other people’s access. Enter your password to continue. You will not be asked again for 10 minutes.',
  confirm: 'Confirm',
  cancelled: 'Identity not confirmed. Nothing was changed.',
}

export const organizationTexts = isolating({ roles, users, changes, overview, policy, invitations, identity })
