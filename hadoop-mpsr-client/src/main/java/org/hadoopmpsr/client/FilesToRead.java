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
package org.hadoopmpsr.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.hadoopmpsr.core.assign.Split;
import org.hadoopmpsr.core.layout.PathNames;

/**
 * Files with the hosts of their blocks, as the NameNode reports them.
 *
 * @param splits each file as a whole, by its path without scheme
 * @param holders the hosts that hold any of the files
 */
public record FilesToRead(SortedMap<String, Split> splits, SortedSet<String> holders) {

    /**
     * Finds files. Directories are searched recursively; names that begin with {@code _} or {@code .} are ignored
     * there, as by Hadoop's own input formats. A file that several paths lead to counts once.
     *
     * @param paths files, directories and patterns of both
     * @throws FileNotFoundException if a path leads to nothing
     */
    public static FilesToRead find(FileSystem fs, List<String> paths) throws IOException {
        FilesToRead found = new FilesToRead(new TreeMap<>(), new TreeSet<>());
        for (LocatedFileStatus file : list(fs, paths)) {
            found.add(file);
        }
        return found;
    }

    /** The files that {@link #find} uses, in the order of the paths. */
    public static List<LocatedFileStatus> list(FileSystem fs, List<String> paths) throws IOException {
        List<LocatedFileStatus> found = new ArrayList<>();
        for (String path : paths) {
            FileStatus[] matches = fs.globStatus(new Path(path));
            if (matches == null || matches.length == 0) {
                throw new FileNotFoundException("there is no file or directory '" + path + "' on " + fs.getUri());
            }
            for (FileStatus match : matches) {
                below(fs, match.getPath(), found::add);
            }
        }
        return found;
    }

    /**
     * Finds the files that readers read below a directory, or the file itself.
     *
     * @param root a path, which is no pattern
     * @param found is given each of them
     * @throws FileNotFoundException if there is none at the path
     */
    public static void below(FileSystem fs, Path root, Consumer<? super LocatedFileStatus> found) throws IOException {
        Path qualified = fs.makeQualified(root);
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(qualified, true);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            if (!isHidden(qualified, file.getPath())) {
                found.accept(file);
            }
        }
    }

    private static boolean isHidden(Path root, Path file) {
        for (Path p = file; !p.equals(root); p = p.getParent()) {
            if (PathNames.isHidden(p.getName())) {
                return true;
            }
        }
        return false;
    }

    private void add(LocatedFileStatus file) throws IOException {
        Map<String, Long> held = new HashMap<>();
        for (BlockLocation block : file.getBlockLocations()) {
            for (String host : block.getHosts()) {
                held.merge(host, block.getLength(), Long::sum);
            }
        }
        holders.addAll(held.keySet());
        splits.put(file.getPath().toUri().getPath(), new Split(file.getLen(), held));
    }
}
