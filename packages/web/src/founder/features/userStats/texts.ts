export const userStatsTexts = {
  title: 'Users',
  total: 'Total Users',
  active: 'Active Users',
  suspended: 'Suspended Users',
  admins: 'Admins',
  notLoaded: 'The user numbers could not be loaded.',
}
