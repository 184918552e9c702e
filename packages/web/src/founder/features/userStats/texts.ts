export const userStatsTexts = {
  title: 'Users',
  total: 'Total Users',
  active: 'Active Users',
  suspended: 'Suspended Users',
  admins: 'Admins',
  notLoaded: 'The numbers of users could not be loaded.',
}
