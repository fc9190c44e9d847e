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
package org.hadoopmpsr.namenode.staging;

/**
 * The place for the files of a commit that was begun.
 *
 * @param directory the directory to stage in, with a directory for each group below it
 * @param maxFiles the maximum number of files of the commit, in all groups together
 */
public record StagingPlace(String directory, String datasetId, int maxFiles) {}
