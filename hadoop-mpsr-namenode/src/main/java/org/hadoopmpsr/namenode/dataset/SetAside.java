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
package org.hadoopmpsr.namenode.dataset;

/**
 * A dataset that cannot be used. Its files stay where they are, and its directory is read as on stock HDFS.
 *
 * @param path the dataset directory, or the dataset's directory in the store if the former is not known
 * @param storeDir the dataset's directory in the store
 * @param problem which record cannot be read, why, and what to do
 */
public record SetAside(String path, String storeDir, String problem) {

    /** One line. */
    public String text() {
        return "dataset " + path + " is set aside: " + problem;
    }
}
