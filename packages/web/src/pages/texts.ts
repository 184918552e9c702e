export const pageTexts = {
  notFound: {
    title: 'Page Not Found',
    text: 'This address has no matching half. Check it, or go back.',
    home: 'Back to Home',
    login: 'Back to Login',
  },
}
