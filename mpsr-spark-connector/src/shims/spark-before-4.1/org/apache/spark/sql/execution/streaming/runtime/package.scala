/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.spark.sql.execution.streaming

/** The names that Spark 4.1 has for what Spark has in `org.apache.spark.sql.execution.streaming` before. */
package object runtime {
  type FileStreamOptions = org.apache.spark.sql.execution.streaming.FileStreamOptions
  type FileStreamSource = org.apache.spark.sql.execution.streaming.FileStreamSource
  val FileStreamSource: org.apache.spark.sql.execution.streaming.FileStreamSource.type =
    org.apache.spark.sql.execution.streaming.FileStreamSource
  type FileStreamSourceLog = org.apache.spark.sql.execution.streaming.FileStreamSourceLog
  val FileStreamSourceLog: org.apache.spark.sql.execution.streaming.FileStreamSourceLog.type =
    org.apache.spark.sql.execution.streaming.FileStreamSourceLog
  type FileStreamSourceOffset = org.apache.spark.sql.execution.streaming.FileStreamSourceOffset
  val FileStreamSourceOffset: org.apache.spark.sql.execution.streaming.FileStreamSourceOffset.type =
    org.apache.spark.sql.execution.streaming.FileStreamSourceOffset
  type StreamingRelation = org.apache.spark.sql.execution.streaming.StreamingRelation
}
