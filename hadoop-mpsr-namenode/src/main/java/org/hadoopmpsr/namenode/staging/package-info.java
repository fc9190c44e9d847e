/** What writers have staged and not published: how much of it there may be, and when it is given up. */
package org.hadoopmpsr.namenode.staging;
