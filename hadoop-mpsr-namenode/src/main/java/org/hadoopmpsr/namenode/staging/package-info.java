/** What writers have staged and not published: how much of it there may be, when it is given up, and in which holds of the lock it is published. */
package org.hadoopmpsr.namenode.staging;
