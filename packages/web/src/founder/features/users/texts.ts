import { isolating } from '../../../ui/translation.ts'

export const userTexts = isolating({
  title: 'User Management',
  search: 'Search users',
  searchHint: 'Search users...',
  filter: 'Organization',
  allOrganizations: 'All organizations',
  oneOrganization: 'One organization',
  table: 'Users of all organizations',
  columns: {
    firstName: 'First Name',
    lastName: 'Last Name',
    email: 'Email Address',
    username: 'Username',
    organization: 'Organization',
    role: 'Role',
    status: 'Status',
    joined: 'Join Date',
    actions: 'Actions',
  },
  missing: '-',
  active: 'Active',
  inactive: 'Inactive',
  suspended: 'Suspended',
  more: (counted: string) => `${counted} or more`,
  found: (count: string) => `${count} found`,
  none: 'No users found.',
  noneHere: 'This organization has no members.',
  noMatch: 'No users found matching your search.',
  noMatchHint: 'The search looks at the beginning of each word of names, email addresses and usernames.',
  notLoaded: 'The users could not be loaded.',
  suspend: 'Suspend',
  unsuspend: 'Unsuspend',
  suspendName: (username: string) => `Suspend ${username}`,
  unsuspendName: (username: string) => `Unsuspend ${username}`,
  removeName: (username: string) => `Delete ${username}`,
  busy: 'Processing...',
  ask: {
    suspend: {
      title: (name: string) => `Suspend ${name}?`,
      hint: (name: string) =>
        `${name} is signed out everywhere at once and cannot sign in or receive messages until you lift the suspension. Their open invitations end.`,
      confirm: 'Suspend User',
    },
    unsuspend: {
      title: (name: string) => `Unsuspend ${name}?`,
      hint: (name: string) =>
        `${name} can sign in and receive messages again, unless their organization has deactivated them.`,
      confirm: 'Unsuspend User',
    },
    remove: {
      title: (name: string) => `Delete ${name} permanently?`,
      hint: (name: string) =>
        `The account, keys, connections, messages and files of ${name} are destroyed at once, for their contacts too. This cannot be undone. To block ${name} without deleting anything, suspend the account instead.`,
      confirm: 'Delete Permanently',
    },
  },
  done: {
    suspend: {
      title: 'User Suspended',
      hint: (name: string) => `${name} is signed out everywhere and cannot sign in.`,
    },
    unsuspend: { title: 'User Unsuspended', hint: (name: string) => `${name} can sign in again.` },
    remove: {
      title: 'User Deleted',
      hint: (name: string) => `The account of ${name} and all its data have been deleted.`,
    },
  },
  failed: {
    suspend: { title: 'Suspension Failed', hint: 'Failed to suspend user' },
    unsuspend: { title: 'Unsuspension Failed', hint: 'Failed to unsuspend user' },
    remove: { title: 'Deletion Failed', hint: 'Failed to delete user' },
  },
})
