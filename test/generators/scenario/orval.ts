// The clients of orval, which use fetch.

import * as modules from '../orval/module'
import * as system from '../orval/system'
import { signWith } from './fetcher'
import { type Client, play, require } from './scenario'

export function run(key: string): Promise<object> {
  signWith(key)

  const client: Client = {
    async createFolder(name) {
      const { data, status } = await system.createAssetCategory({ name })
      return require(status === 201 ? data : undefined).asset_category_id
    },
    async createFile({ folder: parent_category_id, name, text: pageContent }) {
      const body = { name, type: 'html', parent_category_id, pageContent }
      const { data, status } = await system.createAssetFile(body)
      return require(status === 201 ? data : undefined).asset_file_id
    },
    async createFiles(folder, names) {
      const body = names.map((name) => ({ name, type: 'html', parent_category_id: folder }))
      const { data, status } = await system.bulkCreateAssetFile(body)
      return require(status === 201 ? data : undefined).asset_file.map(({ name }) => name)
    },
    async publish(id) {
      const { data, status } = await system.publishAssetFileByPost(id, {})
      return require(status === 200 ? data : undefined).live_version
    },
    async findFiles(qry) {
      const { data, status } = await system.searchAssetFile({ qry, length: 10 })
      return require(status === 200 ? data : undefined).asset_file.map(({ name }) => name)
    },
    async deleteFile(id) {
      await system.deleteAssetFile(id)
    },
    async refusal(id) {
      const { data, status } = await system.readAssetFile(id)
      return [status, status === 404 ? data.code : undefined]
    },
    async createTable(name, table_schema) {
      const { data, status } = await system.createDatatable({ name, table_schema })
      const created = require(status === 201 ? data : undefined)
      return (created.columns ?? []).map((column) => column.name)
    },
    async createEntry(body) {
      const { data, status } = await modules.createDatatable1Products(body)
      return require(status === 201 ? data : undefined).datatable_entry
    },
    async createEntries(body) {
      const { data, status } = await modules.bulkCreateDatatable1Products(body)
      return require(status === 201 ? data : undefined).datatable_entry.length
    },
    async findEntries(qry) {
      const { data, status } = await modules.searchDatatable1Products({ qry })
      return require(status === 200 ? data : undefined).datatable_entry
    },
    async findEntriesByPost(qry) {
      const { data, status } = await modules.searchDatatable1ProductsByPost({ qry })
      return require(status === 200 ? data : undefined).datatable_entry
    },
    async readRelated(entryId) {
      const { data, status } = await modules.readDatatable1Products(entryId, { expand: 'also' })
      const entry = require(status === 200 ? data : undefined)
      return entry.expanded?.also?.map(({ title }) => title)
    },
    async updateEntry(entryId, body) {
      const { data, status } = await modules.updateDatatable1Products(entryId, body)
      return require(status === 200 ? data : undefined)
    },
    async deleteEntry(entryId) {
      await modules.deleteDatatable1Products(entryId)
    },
    async upload(folder, name, bytes) {
      const Filedata = new File([bytes], name)
      const { data, status } = await system.uploadFile({ Filedata, asset_category_id: folder })
      const { asset_file_id, size } = require(status === 201 ? data : undefined)
      return [asset_file_id, size]
    },
    async download(number, name) {
      const { data, status } = await system.downloadFile(number, name)
      return require(status === 200 ? data : undefined)
    },
    async health() {
      const { data, status } = await system.readHealth()
      return require(status === 200 ? data : undefined).status
    },
  }
  return play('orval', client)
}
