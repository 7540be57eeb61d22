// Texts of the dialog that chooses a file, and of inserted pictures and links.

export const picking = {
  insertImage: 'Insert image',
  linkToFile: 'Link to page or file',
  browse: 'Choose from folders',
  search: 'Search in all folders',
  source: 'Show',
  folder: 'Folder',
  recent: 'Recent',
  allFolders: 'All folders',
  found: 'Files',
  upload: 'Upload',
  uploading: 'Uploading {name}',
  uploadingNow: 'Uploading {name}: {percent}',
  uploaded: '{name} was uploaded. {reason}',
  uploadFailed: '{name} was not uploaded, and the text is unchanged. {reason}',
  dropHere: 'Drop the file to upload to {name}',
  notAPicture: 'The file {name} is not a picture. Choose a picture.',
  emptyImages: 'This folder has no pictures.',
  emptyFiles: 'This folder has no files.',
  noRecent: 'Files that you open or insert appear here.',
  nothingFound: 'No file name contains this text.',
  more: 'Show more',
  unseen: {
    notOnSite:
      'This file is outside the folder of the website, so the pages of the website cannot show it.',
    notPublic: 'The folder of this file is not public, so visitors do not see the file.',
    notPublished: 'This file is not published, so visitors do not see it.',
  },
  publish: 'Publish',
  altMissing: 'Describe the picture, or mark it as a decoration.',
  storeAlt: {
    label: 'Also store this text with the picture',
    live: 'Other pages that insert the picture start with this text. The picture gets a new version, which is published at once.',
    draft:
      'Other pages that insert the picture start with this text. The picture gets a new version.',
  },
  linkText: 'Link text',
  back: 'Choose another',
  insert: 'Insert',
} as const
