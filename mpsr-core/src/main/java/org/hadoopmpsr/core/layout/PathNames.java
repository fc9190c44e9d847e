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
package org.hadoopmpsr.core.layout;

/** Rules about absolute paths of HDFS, as text: no scheme, and no slash at the end except for the root. */
public final class PathNames {

    private PathNames() {}

    /** The directory that holds a file or directory; the root for what lies there, and for the root itself. */
    public static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** The path without slashes at its end, which HDFS ignores in many calls. */
    public static String trimmed(String path) {
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    /** The last name of a path. */
    public static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** True when a path is a directory or lies below it. */
    public static boolean isAtOrBelow(String path, String directory) {
        return path.equals(directory) || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
    }

    /** True for the names of files and directories that Spark leaves out when it lists a directory. */
    public static boolean isHidden(String name) {
        return name.startsWith(".") || (name.startsWith("_") && !name.contains("=")) || name.endsWith("._COPYING_");
    }
}
