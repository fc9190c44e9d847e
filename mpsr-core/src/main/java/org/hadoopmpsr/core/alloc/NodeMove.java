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
package org.hadoopmpsr.core.alloc;

/**
 * A node that is to change its group.
 *
 * @param step all nodes of a step are emptied before any of them gets its new group
 * @param bytes the maximum of bytes that the node holds of its old group
 * @param reason the reason, for people
 */
public record NodeMove(Node node, String from, String to, int step, long bytes, String reason) {}
