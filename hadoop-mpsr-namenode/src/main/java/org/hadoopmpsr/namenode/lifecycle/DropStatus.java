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
package org.hadoopmpsr.namenode.lifecycle;

import org.hadoopmpsr.namenode.store.DropRecord;

/**
 * The state of a dropped dataset whose other representations are still there.
 *
 * @param deletedAtMs not before this they are deleted, in milliseconds since the epoch
 * @param lackingFiles the number of files of the default representation that lacked copies at the last look; nothing is
 *     deleted before it is 0
 */
public record DropStatus(DropRecord drop, long deletedAtMs, long lackingFiles) {}
