// The clients of swagger-typescript-api, which use fetch and group their methods by the first part of the
// path.

import { Api as ModuleApi } from '../swagger-typescript-api/module'
import { Api as SystemApi, type HttpResponse, type Problem } from '../swagger-typescript-api/system'
import { type Client, play, require } from './scenario'

export function run(key: string): Promise<object> {
  const securityWorker = () => ({ headers: { authorization: `Bearer ${key}` } })
  const system = new SystemApi({ securityWorker })
  const { module: modules } = new ModuleApi({ securityWorker })
  system.setSecurityData(key)

  const client: Client = {
    async createFolder(name) {
      const { data } = await system.assetCategory.createAssetCategory({ name })
      return data.asset_category_id
    },
    async createFile({ folder: parent_category_id, name, text: pageContent }) {
      const body = { name, type: 'html', parent_category_id, pageContent }
      const { data } = await system.assetFile.createAssetFile(body)
      return data.asset_file_id
    },
    async createFiles(folder, names) {
      const body = names.map((name) => ({ name, type: 'html', parent_category_id: folder }))
      const { data } = await system.assetFile.bulkCreateAssetFile(body)
      return data.asset_file.map(({ name }) => name)
    },
    async publish(id) {
      const { data } = await system.assetFile.publishAssetFileByPost(id, {})
      return data.live_version
    },
    async findFiles(qry) {
      const { data } = await system.assetFile.searchAssetFile({ qry, length: 10 })
      return data.asset_file.map(({ name }) => name)
    },
    async deleteFile(id) {
      await system.assetFile.deleteAssetFile(id)
    },
    async refusal(id) {
      const refused = system.assetFile.readAssetFile(id).then(
        () => undefined,
        (answer: HttpResponse<unknown, Problem>) => answer,
      )
      const { status, error } = require(await refused)
      return [status, error.code]
    },
    async createTable(name, table_schema) {
      const { data } = await system.datatable.createDatatable({ name, table_schema })
      return (data.columns ?? []).map((column) => column.name)
    },
    async createEntry(body) {
      const { data } = await modules.createDatatable1Products(body)
      return data.datatable_entry
    },
    async createEntries(body) {
      const { data } = await modules.bulkCreateDatatable1Products(body)
      return data.datatable_entry.length
    },
    async findEntries(qry) {
      const { data } = await modules.searchDatatable1Products({ qry })
      return data.datatable_entry
    },
    async findEntriesByPost(qry) {
      const { data } = await modules.searchDatatable1ProductsByPost({ qry })
      return data.datatable_entry
    },
    async readRelated(entryId) {
      const { data } = await modules.readDatatable1Products(entryId, { expand: 'also' })
      return data.expanded?.also?.map(({ title }) => title)
    },
    async updateEntry(entryId, body) {
      const { data } = await modules.updateDatatable1Products(entryId, body)
      return data
    },
    async deleteEntry(entryId) {
      await modules.deleteDatatable1Products(entryId)
    },
    async upload(folder, name, bytes) {
      const Filedata = new File([bytes], name)
      const { data } = await system.upload.uploadFile({ Filedata, asset_category_id: folder })
      return [data.asset_file_id, data.size]
    },
    async download(number, name) {
      const { data } = await system.file.downloadFile(number, name, {}, { format: 'blob' })
      return data
    },
    async health() {
      const { data } = await system.health.readHealth()
      return data.status
    },
  }
  return play('swagger-typescript-api', client)
}
